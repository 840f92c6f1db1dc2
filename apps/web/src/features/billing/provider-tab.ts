const LOOK_AGAIN_MS = 500

/** Opened in the click itself: browsers refuse a tab that opens only after an answer has come. */
export function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** Where new tabs are refused the page itself goes there; the provider leads back. */
export function fillTab(tab: Window | null, url: string): void {
  if (tab) tab.location.replace(url)
  else location.assign(url)
}

/** Once, when this tab is looked at again or the other one is closed: two windows side by side are both looked at. */
export function onReturn(tab: Window | null, act: () => void): void {
  const back = () => {
    if (timer) clearInterval(timer)
    document.removeEventListener('visibilitychange', listen)
    act()
  }
  const listen = () => {
    if (document.visibilityState === 'visible') back()
  }
  const timer =
    tab &&
    setInterval(() => {
      if (tab.closed) back()
    }, LOOK_AGAIN_MS)
  document.addEventListener('visibilitychange', listen)
}
