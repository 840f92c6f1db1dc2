/** Fetches the signed-in app into the browser's cache once somebody starts to type, so that it is there after sign-in. */
export function fetchAppAhead(): void {
  addEventListener('input', fetchNow, { once: true, passive: true })
}

function fetchNow(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="trellis-app-assets"]')?.content ?? ''
  for (const href of named.split(' ').filter(Boolean)) {
    const link = document.createElement('link')
    link.rel = 'prefetch'
    link.as = href.endsWith('.css') ? 'style' : 'script'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  }
}
