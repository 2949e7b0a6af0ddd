import type { Locator, Page } from 'playwright-core'

/** What somebody does with a mouse and a keyboard. Each press of the mouse counts, and each Enter; typing does not. */
export interface Mouse {
  readonly page: Page
  readonly click: (target: Locator) => Promise<void>
  readonly enter: () => Promise<void>
  /** Clicks on a field, and types in place of what it has. */
  readonly type: (field: Locator, text: string) => Promise<void>
  /** Clicks on a field that suggests records, types a part of a name, and takes the suggestion with Enter. */
  readonly choose: (field: Locator, text: string, name: string) => Promise<void>
  /** Goes to a page, a record or an action by the palette. */
  readonly goTo: (text: string, choice: string | RegExp) => Promise<void>
  /** Yields the presses since the last call. */
  readonly takeCount: () => Promise<number>
}

/** Counts in the session storage, which the pages of a journey share. */
export async function createMouse(page: Page): Promise<Mouse> {
  await page.addInitScript(listenForPresses)
  const { keyboard } = page
  const click = (target: Locator) => target.click()
  const enter = () => keyboard.press('Enter')
  const type = async (field: Locator, text: string) => {
    await click(field)
    await keyboard.press('ControlOrMeta+a')
    await keyboard.insertText(text)
  }
  return {
    page,
    click,
    enter,
    type,
    choose: async (field, text, name) => {
      await type(field, text)
      await page.getByRole('option', { name, exact: true, selected: true }).waitFor()
      await enter()
    },
    goTo: async (text, choice) => {
      await keyboard.press('Control+k')
      await page.locator('input[placeholder^="Go to a page"]:focus').waitFor()
      await keyboard.insertText(text)
      await click(page.getByRole('dialog').getByRole('button', { name: choice }).first())
    },
    takeCount: () =>
      page.evaluate(() => {
        const count = Number(sessionStorage.getItem('presses'))
        sessionStorage.removeItem('presses')
        return count
      }),
  }
}

function listenForPresses(): void {
  const count = () => sessionStorage.setItem('presses', String(Number(sessionStorage.getItem('presses')) + 1))
  addEventListener('pointerdown', count, true)
  addEventListener('keydown', ({ key }) => key === 'Enter' && count(), true)
  // The list of a select is no part of the page: it is opened, and an option is taken.
  const isSelect = ({ target }: Event) => target instanceof HTMLSelectElement
  addEventListener('change', (event) => isSelect(event) && [count(), count()], true)
}
