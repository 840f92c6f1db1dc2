import { useSurroundings, type ElementProps } from '../surroundings.ts'

/** The builder belongs to the screen that offers it. */
export function ManifestElement({ value, error, isDisabled, onChange }: ElementProps<'rest_manifest'>) {
  return useSurroundings().drawManifest?.({ value, error, isDisabled, onChange }) ?? null
}

/** Consent is given on the platform's page; how far it is, only the screen knows. */
export function OauthElement() {
  return useSurroundings().drawOauth?.() ?? null
}
