"""Yum EXTRA (spec: yum-extra.md): everybody plays on everybody's dice."""
