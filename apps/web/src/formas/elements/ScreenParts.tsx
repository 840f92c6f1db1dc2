import { useSurroundings, type ElementProps } from '../surroundings.ts'

export function ManifestElement({ value, error, isDisabled, onChange }: ElementProps<'rest_manifest'>) {
  return useSurroundings().drawManifest?.({ value, error, isDisabled, onChange }) ?? null
}

/** The screen that embeds the forma knows the state of consent. */
export function OauthElement() {
  return useSurroundings().drawOauth?.() ?? null
}
