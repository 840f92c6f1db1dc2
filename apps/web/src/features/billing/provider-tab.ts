const LOOK_AGAIN_MS = 500

/** Call it in the click handler: popup blockers refuse tabs opened later. */
export function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** Falls back to this tab when a popup was blocked. */
export function fillTab(tab: Window | null, url: string): void {
  if (tab) tab.location.replace(url)
  else location.assign(url)
}

/** Fires once, when this tab becomes visible or the other one closes: side-by-side windows are both visible. */
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
