import { expect, test } from 'vitest'
import { isTypingIn, shortcutOf, type KeyStroke } from './shortcuts.ts'

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
  expect(shortcutOf(press('k', { ctrlKey: true, isTyping: true }), false)).toEqual({ kind: 'palette' })
  expect(shortcutOf(press('K', { metaKey: true }), false)).toEqual({ kind: 'palette' })
  expect(shortcutOf(press('b', { metaKey: true }), false)).toEqual({ kind: 'sidebar' })
  expect(shortcutOf(press('b', { metaKey: true, shiftKey: true }), false)).toBeNull()
})

test('plain keys mean nothing while typing', () => {
  expect(shortcutOf(press('?', { isTyping: true }), false)).toBeNull()
  expect(shortcutOf(press('w', { isTyping: true }), true)).toBeNull()
  expect(shortcutOf(press('?', { shiftKey: true }), false)).toEqual({ kind: 'help' })
})

test('G begins a jump and the next letter ends it', () => {
  expect(shortcutOf(press('g'), false)).toEqual({ kind: 'begin-go' })
  expect(shortcutOf(press('w'), true)).toEqual({ kind: 'go', letter: 'w' })
  expect(shortcutOf(press('g'), true)).toEqual({ kind: 'go', letter: 'g' })
  expect(shortcutOf(press('w'), false)).toBeNull()
  expect(shortcutOf(press('Enter'), true)).toBeNull()
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
