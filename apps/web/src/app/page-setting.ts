/** What the server tells the pages about this installation, as meta tags named `trellis-…`. */
export function findPageSetting(
  name: 'community-url' | 'booking-url' | 'support' | 'payment-sandbox',
): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="trellis-${name}"]`)?.content || undefined
}
