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

/** Once, when this tab is looked at again. */
export function onReturn(act: () => void): void {
  const listen = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', listen)
    act()
  }
  document.addEventListener('visibilitychange', listen)
}
