export function contentSecurityPolicy(nonce: string, hosts: readonly string[]): string {
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
    `frame-src ${toFrameSources(hosts)}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

export const SPARK_FRAME_PATH = '/spark-frame'
/** A CSP source; e.g. IPv6 addresses cannot be expressed. */
const NAMED_HOST = /^[a-z0-9.-]+(:\d{1,5})?$/i

/** Only the spark frame, so a frame that navigates elsewhere is blocked. */
function toFrameSources(hosts: readonly string[]): string {
  const namedHosts = [...new Set(hosts)].filter((host) => NAMED_HOST.test(host))
  return namedHosts.length === 0 ? "'self'" : namedHosts.map((host) => `${host}${SPARK_FRAME_PATH}`).join(' ')
}

/**
 * The page for untrusted spark code: opaque origin, no network, no frames. The nonce is for its own script, which runs
 * first.
 */
export function sparkFramePolicy(nonce: string): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'unsafe-eval'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    "connect-src 'none'",
    "frame-src 'none'",
    "child-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "media-src 'none'",
    "manifest-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

const FEATURES_OFF = [
  'accelerometer',
  'autoplay',
  'bluetooth',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'web-share',
  'xr-spatial-tracking',
]

export const SPARK_FRAME_HEADERS: Record<string, string> = {
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': FEATURES_OFF.map((feature) => `${feature}=()`).join(', '),
}

/**
 * A worker uses the CSP of its script. Only workers may run WebAssembly (the SQL grammar); pages have no
 * `'wasm-unsafe-eval'`.
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

/** HSTS for a year. */
export function commonHeaders(isHttps: boolean): Record<string, string> {
  return isHttps
    ? { ...COMMON_HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : COMMON_HEADERS
}

export const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
