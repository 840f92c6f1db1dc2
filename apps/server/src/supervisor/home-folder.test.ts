import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHome } from './home-folder.ts'

// As root, the database's user must be able to traverse it.
const closed = process.getuid?.() === 0 ? 0o711 : 0o700
const readMode = (path: string) => statSync(path).mode & 0o777
let above: string
let home: string

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'trellis-home-'))
  home = join(above, 'data', 'home')
})

afterEach(() => rmSync(above, { recursive: true, force: true }))

test('a new folder is closed to other users, and so is every part of it', () => {
  openHome(home)
  expect(readMode(home)).toBe(closed)
  expect(readMode(join(home, 'logs'))).toBe(0o700)
})

test('a folder of an earlier version is closed at the next start', () => {
  for (const name of ['keys', 'logs', 'objects/a', 'postgres']) mkdirSync(join(home, name), { recursive: true })
  for (const name of ['lock', 'logs/api.log', 'objects/a/x~']) writeFileSync(join(home, name), 'x')
  for (const name of ['', 'keys', 'logs', 'objects', 'objects/a']) chmodSync(join(home, name), 0o755)
  openHome(home)
  expect(readMode(home)).toBe(closed)
  for (const name of ['keys', 'logs', 'objects', 'objects/a']) expect(readMode(join(home, name))).toBe(0o700)
  for (const name of ['logs/api.log', 'objects/a/x~']) expect(readMode(join(home, name))).toBe(0o600)
})

test('a folder that holds other things as well keeps its rights, but what is ours in it is closed', () => {
  mkdirSync(join(home, 'objects'), { recursive: true })
  writeFileSync(join(home, 'somebody-elses'), 'x')
  for (const path of [home, join(home, 'objects')]) chmodSync(path, 0o755)
  openHome(home)
  expect(readMode(home)).toBe(0o755)
  expect(readMode(join(home, 'objects'))).toBe(0o700)
})

test('rights are taken away and never given: a folder made read-only stays so, a sticky one is left alone', () => {
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o555)
  try {
    openHome(home)
  } catch (error) {
    expect(error).toMatchObject({ name: 'StartProblem' })
  }
  expect(readMode(home)).toBe(closed & 0o555)
  rmSync(home, { recursive: true })
  mkdirSync(home)
  chmodSync(home, 0o1777)
  openHome(home)
  expect(readMode(home)).toBe(0o777)
})
