// Whatever stands in a block of code can be copied.
const seen = new WeakSet()
new MutationObserver(addButtons).observe(document.querySelector('main'), { childList: true, subtree: true })
addButtons()

function addButtons() {
  for (const block of document.querySelectorAll('main pre')) {
    if (seen.has(block)) continue
    seen.add(block)
    const text = block.textContent
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      button.textContent = (await copy(text)) ? 'Copied' : 'Not allowed here'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    block.after(button)
  }
}

/** Browsers have a clipboard for pages that came safely only. */
async function copy(text) {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
