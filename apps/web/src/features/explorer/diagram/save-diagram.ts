import { saveBlob } from '../../../api/save-file.ts'
import { buildDiagramSvg, type DiagramColors } from './diagram-svg.ts'
import type { PlacedDiagram } from './diagram-layout.ts'

/** Canvas size limit of browsers. */
const MAX_SIDE = 16_000
const MAX_PIXELS = 100_000_000
const SHARPNESS = 2

function readColors(): DiagramColors {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    ground: read('--bg-app'),
    surface: read('--bg-surface'),
    border: read('--border-strong'),
    text: read('--text-primary'),
    soft: read('--text-secondary'),
    accent: read('--accent-solid'),
  }
}

export async function saveDiagram(
  placedDiagram: PlacedDiagram,
  { name, format }: { name: string; format: 'png' | 'svg' },
): Promise<void> {
  const svg = new Blob([buildDiagramSvg(placedDiagram, readColors())], { type: 'image/svg+xml' })
  saveBlob(format === 'svg' ? svg : await toPng(svg), name)
}

async function toPng(svg: Blob): Promise<Blob> {
  const image = new Image()
  const loaded = new Promise<void>((resolve, reject) => {
    image.addEventListener('load', () => resolve())
    image.addEventListener('error', () => reject(new Error('The picture could not be drawn.')))
  })
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await svg.text())}`
  await loaded
  const { width, height } = image
  const scale = Math.min(SHARPNESS, MAX_SIDE / Math.max(width, height), Math.sqrt(MAX_PIXELS / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png')
  })
}
