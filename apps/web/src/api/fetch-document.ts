import { errorOf, unreachable } from './api-error.ts'

/** A JSON document of our own origin that is no call of the contract, such as the description of the API. */
export async function fetchDocument(path: `/${string}`, signal?: AbortSignal): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(path, signal ? { signal } : {})
  } catch {
    throw unreachable()
  }
  if (!response.ok) throw await errorOf(response)
  return await response.json()
}
