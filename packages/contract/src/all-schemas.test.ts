import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nameSchemas } from './all-schemas.ts'

test('every schema of a schema file has a name, and no two have the same', async () => {
  const names = nameSchemas()
  expect(new Set(names.values()).size).toBe(names.size)
  const files = globSync('**/*.schemas.ts', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(30)
  for (const file of files) {
    const module = (await import(/* @vite-ignore */ new URL(file, import.meta.url).href)) as Record<string, unknown>
    const unnamed = Object.entries(module).filter(
      ([, value]) => typeof value === 'object' && value !== null && '_zod' in value && !names.has(value as never),
    )
    expect(unnamed.map(([name]) => `${file} ${name}`)).toEqual([])
  }
})
