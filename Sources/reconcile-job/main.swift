print("reconcile-job")
