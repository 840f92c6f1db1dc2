const AFTER_FIRST_KEY = 300

/** On the first keystroke: stop the animation and, off the critical path, prefetch the app. */
export function awaitTyping(): void {
  addEventListener(
    'input',
    () => {
      document.documentElement.dataset['typing'] = ''
      setTimeout(fetchApp, AFTER_FIRST_KEY)
    },
    { once: true, passive: true },
  )
}

function fetchApp(): void {
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
