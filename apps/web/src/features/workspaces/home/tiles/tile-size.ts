export const FRAME_HEIGHT = 360
