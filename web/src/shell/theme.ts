const CLASSES = {
  'pf-v6-theme-dark': '(prefers-color-scheme: dark)',
  'pf-v6-theme-high-contrast': '(prefers-contrast: more), (forced-colors: active)',
} as const

/** Light, dark and high contrast are what the system says, also when it changes its mind. */
export function followTheme(): void {
  for (const [name, condition] of Object.entries(CLASSES)) {
    const query = matchMedia(condition)
    const apply = () => document.documentElement.classList.toggle(name, query.matches)
    query.addEventListener('change', apply)
    apply()
  }
}
