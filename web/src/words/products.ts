/** The products that the neutral words of the API stand for. */
const PRODUCTS: Readonly<Record<string, string>> = {
  directory_a: 'FreeIPA',
  directory_b: 'Active Directory',
  directory_c: 'eDirectory',
  posix: 'POSIX',
}

/** Names the product that a word of the API stands for; another word stays as it is. */
export function nameOfProduct(word: string): string {
  return PRODUCTS[word] ?? word
}
