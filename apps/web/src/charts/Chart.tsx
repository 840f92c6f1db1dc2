import { Download } from 'lucide-react'
import { useRef } from 'react'
import { saveBlob } from '../api/save-file.ts'
import { Button } from '../ui/actions/Button.tsx'
import { showToast } from '../ui/feedback/toasts.ts'
import { Menu } from '../ui/overlays/Menu.tsx'
import { ChartFigure, type ChartProps } from './ChartFigure.tsx'
import { readChartTheme } from './draw/chart-theme.ts'

export function Chart(props: ChartProps) {
  return <ChartFigure {...props} actions={(hidden) => <SavePicture {...props} hidden={hidden} />} />
}

function SavePicture({ data, spec, hidden }: ChartProps & { hidden: ReadonlySet<string> }) {
  const button = useRef<HTMLSpanElement>(null)
  const save = async (type: 'png' | 'svg') => {
    const box = button.current?.closest('figure')
    if (!box) return
    try {
      const { exportChart } = await import('./draw/export-chart.ts')
      const size = { width: Math.max(480, box.clientWidth), height: Math.max(320, box.clientHeight) }
      const blob = await exportChart({ data, spec, hidden, theme: readChartTheme(box) }, size, type)
      saveBlob(blob, `${spec.title === '' ? 'chart' : spec.title}.${type}`)
    } catch {
      showToast({ tone: 'danger', text: 'The picture could not be created.' })
    }
  }
  return (
    <span ref={button}>
      <Menu
        label="Save as a picture"
        align="end"
        groups={[
          [
            { label: 'PNG', onSelect: () => void save('png') },
            { label: 'SVG', onSelect: () => void save('svg') },
          ],
        ]}
        trigger={(props) => (
          <Button {...props} size="sm" variant="ghost" icon={<Download aria-hidden />}>
            Picture
          </Button>
        )}
      />
    </span>
  )
}
