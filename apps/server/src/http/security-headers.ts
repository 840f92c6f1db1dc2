/** Pages run only scripts and styles of our own origin that carry the nonce of this very answer. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/**
 * A worker has the policy its own script came with, not that of its page. Only here may WebAssembly run (PostgreSQL's
 * grammar for the SQL editor): a page has no `'wasm-unsafe-eval'`. For a script that a page loads it means nothing.
 */
export const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

const COMMON_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()',
}

/** Once seen over https, browsers keep to it for a year. */
export function commonHeaders(isHttps: boolean): Record<string, string> {
  return isHttps
    ? { ...COMMON_HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : COMMON_HEADERS
}

/** Answers of the API are never a page, whatever a browser makes of them. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
