/** A module of its own, so that a page can check for stored data without loading the schemas. */
export const PROFILE_KEY = 'trellis.profile'
