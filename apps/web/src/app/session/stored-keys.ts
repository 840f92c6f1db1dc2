/** Apart from the schemas of what is stored, so that a page can see whether something is there without loading them. */
export const PROFILE_KEY = 'trellis.profile'
