/** Fixed: a growing preview would move the button while it is being pressed. */
export const PREVIEW_HEIGHT = 480
