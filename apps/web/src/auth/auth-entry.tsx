import '../ui/theme/tokens.css'
import '../ui/theme/base.css'
import './frame.module.css'
import './picture/picture.module.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { AuthApp } from './AuthApp.tsx'
import { awaitTyping } from './fetch-ahead.ts'

const root = document.getElementById('auth')
if (root?.firstElementChild) hydrateRoot(root, <AuthApp />)
else if (root) createRoot(root).render(<AuthApp />)
awaitTyping()
