import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import { arrangeTiles } from './tile-order.ts'
import { FRAME_HEIGHT } from './tile-size.ts'
import styles from './tiles.module.css'

/** Same size as the tiles, to avoid a layout shift. */
export function TileGhosts({ dashboard: { sparks, tile_order } }: { dashboard: Dashboard }) {
  const tiles = arrangeTiles(
    sparks.map(({ spark_trellis_code }) => spark_trellis_code),
    tile_order,
  )
  return (
    <ul className={styles.tiles} aria-hidden>
      {tiles.map(({ spark_trellis_code, is_wide }) => (
        <li key={spark_trellis_code} data-wide={is_wide}>
          <div className={styles.tile}>
            <div className={styles.head} />
            <div className={styles.body}>
              <div style={{ height: FRAME_HEIGHT }} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
