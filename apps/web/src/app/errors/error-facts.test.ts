import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { toErrorFacts, isStaleBuild } from './error-facts.ts'

test("an API error tells its sentence and its request's id", () => {
  const error = new ApiError({
    status: 500,
    code: 'internal',
    title: 'Something went wrong',
    detail: 'The disk is full.',
    requestId: 'r-1',
  })
  expect(toErrorFacts(error)).toEqual({ isMissing: false, detail: 'The disk is full.', reference: 'r-1' })
})

test('a missing object is told from a failure', () => {
  const missingApiError = new ApiError({ status: 404, code: 'not_found', title: 'Not found', detail: 'Not found.' })
  expect(toErrorFacts(missingApiError).isMissing).toBe(true)
  expect(toErrorFacts({ status: 404, statusText: '', data: null, internal: false }).isMissing).toBe(true)
})

test('anything else says nothing about itself', () => {
  expect(toErrorFacts(new Error('secret at line 3'))).toEqual({
    isMissing: false,
    detail: undefined,
    reference: undefined,
  })
  expect(toErrorFacts('text')).toEqual({ isMissing: false, detail: undefined, reference: undefined })
})

test('knows when the page is older than the server', () => {
  expect(isStaleBuild(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))).toBe(true)
  expect(isStaleBuild(new Error('other'))).toBe(false)
})
