import type { Locator, Page } from 'playwright-core'

/** What somebody does who has a keyboard and nothing else: nothing is focused or clicked by the test itself. */
export interface Hands {
  /** Presses Tab, or another key, until the element has the focus. */
  readonly reach: (target: Locator, key?: string) => Promise<void>
  /** Reaches an element, and presses Enter or another key on it. */
  readonly use: (target: Locator, key?: string) => Promise<void>
  /** Reaches a field, and types into it in place of what it has. */
  readonly fill: (target: Locator, text: string) => Promise<void>
  /** Types a part of a name into a field that suggests records, and takes the first suggestion. */
  readonly choose: (target: Locator, text: string, name: string) => Promise<void>
  /** Takes an option of a list: its first letter goes near it, arrows to it. */
  readonly pick: (target: Locator, option: string) => Promise<void>
  /** Goes to a page, a record or an action by the palette. */
  readonly goTo: (text: string, choice: string) => Promise<void>
}

const MOST_KEYS = 150

export function createHands(page: Page): Hands {
  const { keyboard } = page
  const reach = async (target: Locator, key = 'Tab') => {
    await target.first().waitFor()
    for (let pressed = 0; pressed < MOST_KEYS; pressed++) {
      if (await target.first().evaluate(hasFocus)) return
      await keyboard.press(key)
    }
    throw new Error(`${target} is not reached by ${key}`)
  }
  const use = async (target: Locator, key = 'Enter') => {
    await reach(target)
    await keyboard.press(key)
  }
  const fill = async (target: Locator, text: string) => {
    await reach(target)
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type(text)
  }
  return {
    reach,
    use,
    fill,
    choose: async (target, text, name) => {
      await fill(target, text)
      await page.getByRole('option', { name, exact: true, selected: true }).waitFor()
      await keyboard.press('Enter')
    },
    pick: async (target, option) => {
      await reach(target)
      await target.locator('option', { hasText: option }).first().waitFor({ state: 'attached' }) // what is offered may come late
      await keyboard.press(option.charAt(0))
      const isPicked = () =>
        target.evaluate((element, text) => (element as HTMLSelectElement).selectedOptions[0]?.text === text, option)
      for (let pressed = 0; !(await isPicked()); pressed++) {
        if (pressed > MOST_KEYS) throw new Error(`${option} is not reached`)
        // A page that is still being drawn may take a choice back, and arrows go down only.
        await keyboard.press(pressed % 40 === 39 ? option.charAt(0) : 'ArrowDown')
      }
    },
    goTo: async (text, choice) => {
      await keyboard.press('Control+k')
      await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
      await keyboard.type(text)
      const wanted = page.getByRole('dialog').getByRole('button', { name: choice })
      await wanted.first().waitFor()
      for (let pressed = 0; (await wanted.first().getAttribute('aria-current')) !== 'true'; pressed++) {
        if (pressed > MOST_KEYS) throw new Error(`${choice} is not reached in the palette`)
        await keyboard.press('ArrowDown')
      }
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  }
}

/** Tells whether an element has the focus, also inside a shadow root. */
function hasFocus(element: Element): boolean {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.activeElement === element : document.activeElement === element
}
