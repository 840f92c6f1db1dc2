/** A chart with its title fits without scrolling. */
export const FRAME_HEIGHT = 360
const HEAD_HEIGHT = 45
const BORDERS = 2
/** Kept free for the first row: without it the cards below jump when the tiles come. */
export const TILE_HEIGHT = HEAD_HEIGHT + FRAME_HEIGHT + BORDERS
