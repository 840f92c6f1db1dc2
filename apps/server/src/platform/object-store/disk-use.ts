import { statfs } from 'node:fs/promises'

/** How much of a folder's disk is in use, as `df` counts it: what only root may use is no room for a database. */
export async function readDiskUse(folder: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(folder)
  const used = blocks - bfree
  return used / Math.max(1, used + bavail)
}
