/**
 * Tells whether a text is empty or consists only of characters that display nothing (white space of any script, zero width,
 * soft hyphens, fillers). Searches, names and matchers share this definition; within a longer text such characters count.
 */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text)
}

const SHOWS_NOTHING = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u
