import { isRouteErrorResponse } from 'react-router'
import { ApiError } from '../../api/api-error.ts'

export const GENERIC_TITLE = 'Oops! Something went wrong'
export const GENERIC_TEXT =
  "We're sorry, but the action you requested couldn't be completed at this time. Please try again later."

export interface ErrorFacts {
  isMissing: boolean
  detail: string | undefined
  reference: string | undefined
}

export function toErrorFacts(error: unknown): ErrorFacts {
  if (error instanceof ApiError) {
    return { isMissing: error.code === 'not_found', detail: error.detail, reference: error.requestId }
  }
  return { isMissing: isRouteErrorResponse(error) && error.status === 404, detail: undefined, reference: undefined }
}

/** After an upgrade the chunks of an older page no longer exist. */
export function isStaleBuild(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script failed|preload CSS/i.test(error.message)
}

export function getSupportAddress(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="trellis-support"]')?.content || undefined
}
