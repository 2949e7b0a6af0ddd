/**
 * Tells whether a text is empty or consists only of characters that display nothing, such as spaces and zero-width
 * characters.
 */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text)
}

const SHOWS_NOTHING = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u
