/** Settings the server injects as meta tags `trellis-…`. */
export function findPageSetting(
  name: 'community-url' | 'booking-url' | 'support' | 'payment-sandbox',
): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="trellis-${name}"]`)?.content || undefined
}
