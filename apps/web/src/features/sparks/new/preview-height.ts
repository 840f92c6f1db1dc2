/** Fixed: a preview that grows would move the button below it away while it is pressed. */
export const PREVIEW_HEIGHT = 480
