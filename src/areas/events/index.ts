export { eventRoutes } from './feed/routes.ts'
export { webhookDeliveries } from './webhook/delivery.ts'
export { webhooks } from './webhook/webhook.ts'
export { type EventTiming, openEventWork } from './work.ts'
