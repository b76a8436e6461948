//go:build !amd64 || purego

package simd

// Without assembly no Kernels has avx2 set, so none of the functions below is called.

func hasAVX2() bool { return false }

const noAssembly = "simd: built without assembly"

func maxU16AVX2(*uint16, int) uint16                                             { panic(noAssembly) }
func sumRowsI8AVX2(_, _ *int16, _ *int8, _ *uint16, _, _ int)                    { panic(noAssembly) }
func clampPairAVX2(_, _ *int16, _ int, _ *uint8, _ int)                          { panic(noAssembly) }
func denseU8I8AVX2(*uint8, *int8, *int32, int, int)                              { panic(noAssembly) }
func dotU8I16AVX2(*uint8, *int16, int) int32                                     { panic(noAssembly) }
func moveLogitsAVX2(*int16, *int8, *uint16, *int32, *int16, *int16, *int32, int) { panic(noAssembly) }
func sumRowsF32AVX2(_, _, _ *float32, _ *uint16, _, _ int)                       { panic(noAssembly) }
func addToRowsF32AVX2(_, _ *float32, _ *uint16, _, _ int)                        { panic(noAssembly) }
func dotF32AVX2(_, _ *float32, _ int) float32                                    { panic(noAssembly) }
func axpyF32AVX2(_, _ *float32, _ int, _ float32)                                { panic(noAssembly) }
func expSumAVX2(*float32, int) float32                                           { panic(noAssembly) }
func adamAVX2(_, _, _, _ *float32, _ int, _ *[6]float32)                         { panic(noAssembly) }
