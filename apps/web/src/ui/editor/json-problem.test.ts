import { expect, test } from 'vitest'
import { findJsonProblem } from './json-problem.ts'

test('JSON has no problem', () => {
  expect(findJsonProblem('{"a": [1, 2]}')).toBeNull()
})

test('what is no JSON is found by line and column', () => {
  expect(findJsonProblem('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ line: 3, column: 3 })
  expect(findJsonProblem('{\n  "a": [1,')).toMatchObject({
    line: 2,
    message: expect.stringContaining('ends too early'),
  })
})
