import { expect, test } from 'vitest'
import { isTypingIn, findShortcut, type KeyStroke } from './shortcuts.ts'

const press = (key: string, more: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isTyping: false,
  ...more,
})

test('Ctrl or Cmd with K and B work everywhere, fields included', () => {
  expect(findShortcut(press('k', { ctrlKey: true, isTyping: true }), false)).toEqual({ kind: 'palette' })
  expect(findShortcut(press('K', { metaKey: true }), false)).toEqual({ kind: 'palette' })
  expect(findShortcut(press('b', { metaKey: true }), false)).toEqual({ kind: 'sidebar' })
  expect(findShortcut(press('b', { metaKey: true, shiftKey: true }), false)).toBeNull()
})

test('plain keys mean nothing while typing', () => {
  expect(findShortcut(press('?', { isTyping: true }), false)).toBeNull()
  expect(findShortcut(press('w', { isTyping: true }), true)).toBeNull()
  expect(findShortcut(press('?', { shiftKey: true }), false)).toEqual({ kind: 'help' })
})

test('G begins a jump and the next letter ends it', () => {
  expect(findShortcut(press('g'), false)).toEqual({ kind: 'begin-go' })
  expect(findShortcut(press('w'), true)).toEqual({ kind: 'go', letter: 'w' })
  expect(findShortcut(press('g'), true)).toEqual({ kind: 'go', letter: 'g' })
  expect(findShortcut(press('w'), false)).toBeNull()
  expect(findShortcut(press('Enter'), true)).toBeNull()
})

test.each([
  ['<input>', true],
  ['<textarea></textarea>', true],
  ['<div role="textbox"></div>', true],
  ['<div tabindex="0"></div>', false],
  ['<button></button>', false],
])('letters typed into %s are meant for it: %s', (html, isTyping) => {
  document.body.innerHTML = html
  expect(isTypingIn(document.body.firstElementChild)).toBe(isTyping)
})
