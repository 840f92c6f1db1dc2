import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../src')
const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(css|tsx?)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('style sheets use no custom property that nobody defines: the whole declaration would be dropped', () => {
  const defined = new Set(
    texts.flatMap(({ text }) =>
      [...text.matchAll(/(--[a-z][\w-]*)['"\]]*\s*:|['"](--[a-z][\w-]*)['"]/g)].map((found) => found[1] ?? found[2]),
    ),
  )
  const unknown = texts
    .filter(({ path }) => path.endsWith('.css'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/var\((--[a-z][\w-]*)\)/g)].flatMap(([, name]) =>
        defined.has(name) ? [] : [`${path}: ${name}`],
      ),
    )
  expect(unknown).toEqual([])
})
