import { expect, test } from 'vitest'
import { ApiError, unreachableError } from '../../../api/api-error.ts'
import { isSameFile, partRange, listPartsLeft, receivedBytes } from './parts.ts'
import { backOff, sendParts } from './send-parts.ts'
import { secondsLeft, computeSpeed, withSample } from './speed.ts'

const plan = { size_bytes: 25, part_bytes: 10, received_parts: [2] }
const refused = new ApiError({ status: 413, code: 'body_too_large', title: 'Too large', detail: 'Too large.' })
const full = new ApiError({ status: 507, code: 'disk_full', title: 'Full', detail: 'The disk is nearly full.' })
const quiet = { onProgress: () => undefined, onTrouble: () => undefined, wait: () => Promise.resolve() }

test('only what is missing is sent, and the last part is shorter', () => {
  expect(listPartsLeft(plan)).toEqual([1, 3])
  expect(partRange(3, plan)).toEqual({ start: 20, end: 25 })
  expect(receivedBytes({ ...plan, received_parts: [2, 3] })).toBe(15)
  expect(listPartsLeft({ ...plan, received_parts: [1, 2, 3] })).toEqual([])
})

test('no more than two parts are on their way, and each counts once', async () => {
  let under = 0
  let most = 0
  const sent: number[] = []
  const told: number[] = []
  await sendParts({ size_bytes: 100, part_bytes: 10, received_parts: [1] }, new AbortController().signal, {
    ...quiet,
    onProgress: (bytes) => told.push(bytes),
    send: async (part, { onProgress }) => {
      under += 1
      most = Math.max(most, under)
      onProgress(10)
      await Promise.resolve()
      under -= 1
      sent.push(part)
    },
  })
  expect(most).toBe(2)
  expect(sent.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(told[0]).toBe(10)
  expect(told.at(-1)).toBe(100)
  expect(Math.max(...told)).toBe(100)
})

test('what got lost is sent again after a pause; what is refused is not', async () => {
  const waits: number[] = []
  const troubles: (string | null)[] = []
  let losses = 2
  await sendParts({ size_bytes: 10, part_bytes: 10, received_parts: [] }, new AbortController().signal, {
    onProgress: () => undefined,
    onTrouble: (problem) => troubles.push(problem),
    wait: async (milliseconds) => void waits.push(milliseconds),
    send: () => ((losses -= 1) >= 0 ? Promise.reject(unreachableError()) : Promise.resolve()),
  })
  expect(waits).toEqual([1000, 2000])
  expect(troubles.at(-1)).toBeNull()
  expect(troubles[0]).toContain('cannot be reached')

  let tries = 0
  const again = sendParts({ size_bytes: 10, part_bytes: 10, received_parts: [] }, new AbortController().signal, {
    ...quiet,
    send: () => {
      tries += 1
      return Promise.reject(refused)
    },
  })
  await expect(again).rejects.toBe(refused)
  expect(tries).toBe(1)
})

test('a part that is refused stops the other one too; a pause passes on its reason', async () => {
  let wasStopped = false
  const failing = sendParts({ size_bytes: 20, part_bytes: 10, received_parts: [] }, new AbortController().signal, {
    ...quiet,
    send: (part, { signal }) =>
      part === 1
        ? Promise.reject(refused)
        : new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              wasStopped = true
              reject(signal.reason as Error)
            })
          }),
  })
  await expect(failing).rejects.toBe(refused)
  expect(wasStopped).toBe(true)
})

test('the server may say how long to wait', () => {
  expect(
    backOff(1, new ApiError({ status: 429, code: 'too_many_requests', title: '', detail: '', retryAfter: 7 })),
  ).toBe(7000)
  expect(backOff(20, unreachableError())).toBe(30_000)
})

test('a file is known again by name and size', () => {
  const begun = { original_filename: 'a.csv', size_bytes: 9 }
  expect(isSameFile(begun, { name: 'a.csv', size: 9 })).toBe(true)
  expect(isSameFile(begun, { name: 'a.csv', size: 8 })).toBe(false)
  expect(isSameFile(begun, { name: 'b.csv', size: 9 })).toBe(false)
})

test('speed is that of the last seconds', () => {
  let samples = withSample([], { instant: 0, bytes: 0 })
  expect(computeSpeed(samples)).toBeNull()
  samples = withSample(samples, { instant: 1000, bytes: 1000 })
  expect(computeSpeed(samples)).toBe(1000)
  samples = withSample(samples, { instant: 6000, bytes: 11_000 })
  expect(computeSpeed(samples)).toBe(2000)
  expect(secondsLeft(2000, 5000)).toBe(3)
  expect(secondsLeft(0, 5000)).toBeNull()
})

test('a full disk is told at once: sending the same again would not help', async () => {
  let tries = 0
  const sending = sendParts({ size_bytes: 10, part_bytes: 10, received_parts: [] }, new AbortController().signal, {
    ...quiet,
    send: () => {
      tries += 1
      return Promise.reject(full)
    },
  })
  await expect(sending).rejects.toBe(full)
  expect(tries).toBe(1)
})
