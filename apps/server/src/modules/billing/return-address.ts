import { AppError } from '../../platform/app-error.ts'

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Always an address of this product: anything else would be an open redirect. */
export function returnAddress(publicUrl: string, wanted: string | undefined, fallback = '/workspaces'): string {
  if (wanted === undefined || wanted === '') return `${publicUrl}${fallback}`
  const own = new URL(publicUrl)
  const url = URL.canParse(wanted, publicUrl) ? new URL(wanted, publicUrl) : undefined
  const isOwn =
    url?.origin === own.origin || (url !== undefined && LOCAL.test(url.hostname) && LOCAL.test(own.hostname))
  if (!url || !isOwn || !/^https?:$/.test(url.protocol)) {
    throw new AppError('invalid_request', 'The address to come back to must be a page of this product.', {
      source: { parameter: 'return_url' },
    })
  }
  return `${own.origin}${url.pathname}${url.search}${url.hash}`
}
