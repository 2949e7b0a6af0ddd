export { openProxyAccess, readPem, refuseUnusableTls } from './access.ts'
export { openProxyContacts } from './contacts.ts'
export { requestFeatures, UnansweredError } from './features.ts'
export { httpProxies } from './http-proxy/http-proxy.ts'
export { type HttpProxy, httpProxyOf, requestThrough, resolveDetour } from './http-proxy.ts'
export { formatPrintable } from './printable.ts'
export { type ProxyAnswer, sendRequest } from './proxy-request.ts'
export { trustOf } from './proxy-trust.ts'
export { actingFollows } from './smart-proxy/acting.ts'
export { smartProxy } from './smart-proxy/smart-proxy.ts'
export { logUnmetHosts } from './smart-proxy/unmet.ts'
export { problemOfKey } from './ssh-key.ts'
export { type ProxyTransport, transportOf } from './transport.ts'
export {
  buildExitTrouble,
  buildStartTrouble,
  buildTimeoutTrouble,
  formatTrouble,
  isRetryable,
  type RunReason,
  type Trouble,
} from './troubles.ts'
