// Light or dark: what the reader chose, else what the system says. Loaded before the page is painted.
const root = document.documentElement
try {
  root.dataset.theme = localStorage.getItem('theme') ?? ''
} catch {
  root.dataset.theme = '' // storage may be forbidden
}

addEventListener('DOMContentLoaded', () => {
  document.querySelector('#theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
    try {
      localStorage.setItem('theme', root.dataset.theme)
    } catch {}
  })
})
