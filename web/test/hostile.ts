/** Names that try to be markup, to turn the page around, and to make it wider. */
export const HOSTILE = {
  markup: '<img src=x onerror=alert(1)>',
  direction: '\u202eright to left\u2066',
  emoji: '🦊'.repeat(255),
}
