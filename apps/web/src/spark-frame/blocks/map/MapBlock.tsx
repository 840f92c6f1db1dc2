import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import { Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatValue } from '@trellis/contract/charts/format-value'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import styles from '../../kit.module.css'
import type { BlockOf } from '../block-kinds.ts'
import { readNumber, readText } from '../columns.ts'
import { SourceBlock } from '../SourceBlock.tsx'
import { buildLandPath, MAP_HEIGHT, MAP_WIDTH, toMapPoint } from './land-path.ts'

const MAX_POINTS = 5000
const MAX_LISTED = 1000
const RADIUS = { least: 2.5, most: 14 }
const LAND = buildLandPath()

interface MapPoint {
  readonly label: string
  readonly value: number | null
  readonly latitude: number
  readonly longitude: number
}

export function MapBlock({ block }: { block: BlockOf<'map'> }) {
  const [isTable, setTable] = useState(false)
  const { latitude_column, longitude_column, label_column, value_column } = block
  return (
    <SourceBlock
      source={block.source}
      title={block.title}
      needs={[latitude_column, longitude_column, label_column, value_column]}
      height={280}
      actions={
        <Button
          size="sm"
          variant="ghost"
          icon={<Table2 aria-hidden />}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          Table
        </Button>
      }
    >
      {(rows) => <Places rows={rows} block={block} isTable={isTable} />}
    </SourceBlock>
  )
}

function Places({ rows, block, isTable }: { rows: FrameRows; block: BlockOf<'map'>; isTable: boolean }) {
  const places = useMemo(() => listPlaces(rows, block), [rows, block])
  const missing = rows.rows.length - places.length
  return (
    <>
      {isTable ? <PlaceTable places={places} valueName={block.value_column} /> : <Drawing places={places} />}
      {missing > 0 && <p className={styles.quiet}>{formatCount(missing, 'row')} without a place on the map.</p>}
      {places.length > MAX_POINTS && (
        <p className={styles.quiet}>The first {MAX_POINTS.toLocaleString('en-GB')} places are drawn.</p>
      )}
    </>
  )
}

function listPlaces(rows: FrameRows, block: BlockOf<'map'>): MapPoint[] {
  const latitude = readNumber(rows, block.latitude_column)
  const longitude = readNumber(rows, block.longitude_column)
  const label = readText(rows, block.label_column)
  const value = readNumber(rows, block.value_column)
  return rows.rows.flatMap((row) => {
    const [north, east] = [latitude(row), longitude(row)]
    if (north === null || east === null || Math.abs(north) > 90 || Math.abs(east) > 180) return []
    const name = block.label_column === null ? `${north}, ${east}` : (label(row) ?? '(empty)')
    return [{ label: name, value: block.value_column === null ? null : value(row), latitude: north, longitude: east }]
  })
}

function Drawing({ places }: { places: readonly MapPoint[] }) {
  const largest = Math.max(0, ...places.map(({ value }) => Math.abs(value ?? 0)))
  // Area is proportional to the value.
  const toRadius = (value: number | null) =>
    largest === 0 || value === null
      ? RADIUS.least + 1
      : Math.max(RADIUS.least, Math.sqrt(Math.abs(value) / largest) * RADIUS.most)
  return (
    <svg
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label={`Map with ${formatCount(places.length, 'place')}. The table lists them.`}
      className={styles.map}
    >
      <path d={LAND} className={styles.land} />
      {places.slice(0, MAX_POINTS).map((place, at) => {
        const [x, y] = toMapPoint(place.longitude, place.latitude)
        return (
          <circle key={at} cx={x} cy={y} r={toRadius(place.value)} className={styles.place}>
            <title>{place.value === null ? place.label : `${place.label}: ${formatValue(place.value)}`}</title>
          </circle>
        )
      })}
    </svg>
  )
}

function PlaceTable({ places, valueName }: { places: readonly MapPoint[]; valueName: string | null }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label="Places" style={{ maxHeight: 320 }}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Place</th>
            {valueName !== null && <th scope="col">{valueName}</th>}
            <th scope="col">Latitude</th>
            <th scope="col">Longitude</th>
          </tr>
        </thead>
        <tbody>
          {places.slice(0, MAX_LISTED).map((place, at) => (
            <tr key={at}>
              <th scope="row">{place.label}</th>
              {valueName !== null && <td>{formatValue(place.value)}</td>}
              <td>{place.latitude}</td>
              <td>{place.longitude}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
