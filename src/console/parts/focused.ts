/** A ref that gives an element the focus when it appears. */
export const focused = (element: HTMLElement | null): void => element?.focus()
