const CLASSES = {
  'pf-v6-theme-dark': '(prefers-color-scheme: dark)',
  'pf-v6-theme-high-contrast': '(prefers-contrast: more), (forced-colors: active)',
} as const

/** Follows the system's light, dark and high contrast mode, also when it changes. */
export function followTheme(): void {
  for (const [name, condition] of Object.entries(CLASSES)) {
    const query = matchMedia(condition)
    const apply = () => document.documentElement.classList.toggle(name, query.matches)
    query.addEventListener('change', apply)
    apply()
  }
}
