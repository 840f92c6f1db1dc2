import '../ui/theme/tokens.css'
import './frame.css'
import { createRoot } from 'react-dom/client'
import { connectHost } from './bridge/connect-host.ts'
import { FrameApp } from './FrameApp.tsx'
import { lockDown } from './lock-down.ts'
import { applyFirstTheme, printInLight } from './theme.ts'

lockDown()
applyFirstTheme()
const host = connectHost(window.parent)
printInLight()
const root = document.getElementById('root')
if (root) createRoot(root).render(<FrameApp host={host} />)
host.send({ kind: 'ready' })
