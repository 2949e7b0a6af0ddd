import { lazy } from 'react'

/** Loads the dialog that follows the end of a session. */
export const loadLoginDialog = () => import('./login-dialog.tsx')

/** The dialog, which few pages show. */
export const LoginDialog = lazy(async () => ({ default: (await loadLoginDialog()).LoginDialog }))
