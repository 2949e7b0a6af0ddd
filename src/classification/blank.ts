/** Whether a text says nothing: it is empty, or has only characters that show nothing, as in searches and names. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text)
}

const SHOWS_NOTHING = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]*$/u
