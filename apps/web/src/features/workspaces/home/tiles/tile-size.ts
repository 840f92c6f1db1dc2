/** A chart with its title fits without scrolling. */
export const FRAME_HEIGHT = 360
